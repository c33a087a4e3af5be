// @MODEL@, written by the R package tectree.
//
// x[i] is the value of INPUTS[i]: a number (NaN if it is missing), days or seconds since 1970 for
// dates and times (UTC), and for labels what level(i, label) returns.
#[allow(dead_code, clippy::all)]
pub mod @NAME@ {
    pub const INPUTS: [&str; @N_INPUTS@] = [@INPUTS@];
    pub const CLASSES: &[&str] = &[@CLASSES@];
    const LEVELS: [&[&str]; @N_INPUTS@] = [@LEVELS@];
    const ORDERED: [bool; @N_INPUTS@] = [@ORDERED@];
    // By tree: its first node. By node, in pre-order: 0 in a leaf, otherwise the input from 1
    // (negative: missing values go right); the right child, or for a leaf its entry in SCORE; what
    // goes left: numbers up to CUT, or by level, from CUT on: 1 left, 2 right, 0 neither.
    const START: &[usize] = &[@START@];
    const SPLIT: &[i32] = &[@INPUT@];
    const RIGHT: &[usize] = &[@RIGHT@];
    const CUT: &[f64] = &[@CUT@];
    const SIDE: &[u8] = &[@SIDE@];
    // By node, if rows with a missing value stop: the entry of its prediction.
    const STOP: &[usize] = &[@STOP@];
    // By entry: the shares of a leaf (or its number), and its weight; then those of nodes where
    // rows stop.
    const SCORE: &[[f64; @SCORES@]] = &[@SCORE@];
    const WEIGHT: &[f64] = &[@WEIGHT@];
    // Missing values: 0 go to one side, 1 to both in parts, 2 stop.
    const UNKNOWN: i32 = @UNKNOWN@;
    const BY_VOTES: bool = @BY_VOTES@;
    const AIM: &[[f64; @SCORES@]] = &[@AIM@];

    // 0 if the label was not in training; 0.0 also for a missing one.
@READ@

    // The weight of the leaves below a node.
    fn below(node: usize) -> f64 {
        let mut last = node;
        while SPLIT[last] != 0 {
            last = RIGHT[last];
        }
        (node..=last).filter(|i| SPLIT[*i] == 0).map(|i| WEIGHT[RIGHT[i]]).sum()
    }

    fn add(entry: usize, part: f64, sum: &mut [f64; @SCORES@]) {
        for (s, v) in sum.iter_mut().zip(SCORE[entry].iter()) {
            *s += part * v;
        }
    }

    fn side(node: usize, x: &[f64]) -> u8 {
        let i = SPLIT[node].unsigned_abs() as usize - 1;
        let v = x[i];
        if LEVELS[i].is_empty() || ORDERED[i] {
            if ORDERED[i] && !(v >= 1.0) {
                0
            } else if v <= CUT[node] {
                1
            } else if v > CUT[node] {
                2
            } else {
                0
            }
        } else if v >= 1.0 {
            SIDE[CUT[node] as usize + v as usize - 1]
        } else {
            0
        }
    }

    fn walk(x: &[f64], root: usize, sum: &mut [f64; @SCORES@]) {
        let mut stack = vec![(root, 1.0f64)];
        while let Some((node, part)) = stack.pop() {
            if SPLIT[node] == 0 {
                add(RIGHT[node], part, sum);
                continue;
            }
            let mut to = side(node, x);
            if to == 0 && UNKNOWN == 0 {
                to = if SPLIT[node] < 0 { 2 } else { 1 };
            }
            if to != 0 {
                stack.push((if to == 1 { node + 1 } else { RIGHT[node] }, part));
                continue;
            }
            if UNKNOWN == 2 {
                add(STOP[node], part, sum);
                continue;
            }
            let total = below(node);
            for child in [RIGHT[node], node + 1].iter() {
                let share = below(*child) / total;
                if share > 0.0 {
                    stack.push((*child, part * share));
                }
            }
        }
    }

    fn best(x: &[f64], margin: f64) -> usize {
        let least = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max) * margin;
        x.iter().position(|v| *v >= least).unwrap_or(0)
    }

    // The class chosen by the shares.
    fn chosen(score: &[f64]) -> usize {
        let aim: Vec<f64> = (0..score.len())
            .map(|i| score.iter().zip(AIM.iter()).map(|(p, a)| p * a[i]).sum())
            .collect();
        best(&aim, @MARGIN@)
    }

@END@
