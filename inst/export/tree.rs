// A decision tree, written by the R package tectree.
//
// x[i] is the value of INPUTS[i]: a number (NaN if it is missing), days or seconds since 1970 for
// dates and times (UTC), and for labels what level(i, label) returns.
#[allow(dead_code, clippy::all)]
pub mod @NAME@ {
    pub const INPUTS: [&str; @N_INPUTS@] = [@INPUTS@];
    pub const CLASSES: &[&str] = &[@CLASSES@];
    const LEVELS: [&[&str]; @N_INPUTS@] = [@LEVELS@];
    // By node: its class, its shares (or its number), and the parts in which a row continues.
    const VALUE: [i32; @N_NODES@] = [@VALUE@];
    const SCORE: [[f64; @SCORES@]; @N_NODES@] = [@SCORE@];
    const AIM: &[[f64; @SCORES@]] = &[@AIM@];

    pub struct Prediction {
        pub node: usize,           // where the row ends, from 1; for several parts the largest
        pub class: Option<usize>,  // CLASSES[class]; None for a numeric response
        pub score: [f64; @SCORES@], // the share of each class, or the number
    }

    // 0 if the label was not in training; 0.0 also for a missing one.
@READ@

    fn parts(node: usize) -> &'static [(usize, f64)] {
        match node {
@PARTS@
            _ => &[],
        }
    }

    // The next node: the node itself if the row ends, 0 if it continues in parts.
    #[allow(unused_variables, unused_parens)]
    fn next(node: usize, x: &[f64]) -> usize {
        match node {
@NEXT@
            _ => node,
        }
    }

    pub fn predict(x: &[f64]) -> Prediction {
        let mut out = Prediction { node: 0, class: None, score: [0.0; @SCORES@] };
        let (mut largest, mut ends, mut stack) = (0.0, 0, vec![(1usize, 1.0f64)]);
        while let Some((at, part)) = stack.pop() {
            let to = next(at, x);
            if to == 0 {
                stack.extend(parts(at).iter().rev().map(|(child, share)| (*child, part * share)));
            } else if to != at {
                stack.push((to, part));
            } else {
                ends += 1;
                if part > largest * (1.0 + 1e-12) {
                    largest = part;
                    out.node = at;
                }
                for (sum, s) in out.score.iter_mut().zip(SCORE[at - 1].iter()) {
                    *sum += part * s;
                }
            }
        }
        let value = VALUE[out.node - 1];
        if value < 0 {
            return out;
        }
        out.class = Some(value as usize);
        if ends > 1 {
            let total: f64 = out.score.iter().sum();
            out.score.iter_mut().for_each(|p| *p /= total);
            let aim: Vec<f64> = (0..out.score.len())
                .map(|i| out.score.iter().zip(AIM.iter()).map(|(p, a)| p * a[i]).sum())
                .collect();
            let best = aim.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
            out.class = aim.iter().position(|a| *a >= best * (@MARGIN@));
        }
        out
    }
}
