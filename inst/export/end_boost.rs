    pub struct Prediction {
        pub class: Option<usize>,      // CLASSES[class]
        pub score: [f64; @N_CLASSES@], // the probability of each class
        pub link: [f64; @SUMS@],       // the sums of the trees, one for two classes by gradients
    }

    // By tree: the sum that it adds to, or its vote; the initial sums.
    const OUTPUT: &[usize] = &[@OUTPUT@];
    const VOTE: &[f64] = &[@VOTE@];
    const BASE: [f64; @SUMS@] = [@BASE@];

    pub fn predict(x: &[f64]) -> Prediction {
        let mut out = Prediction { class: None, score: [0.0; @N_CLASSES@], link: BASE };
        for (t, root) in START.iter().enumerate() {
            let mut said = [0.0; @SCORES@];
            walk(x, *root, &mut said);
            if BY_VOTES {
                out.link[chosen(&said)] += VOTE[t];
            } else {
                out.link[OUTPUT[t]] += said[0];
            }
        }
        // The only sum of two classes is that of the second; the first has 0.
        let mut sums = [0.0; @N_CLASSES@];
        sums[@N_CLASSES@ - @SUMS@..].copy_from_slice(&out.link);
        let at = best(&sums, 1.0);
        for (p, s) in out.score.iter_mut().zip(sums.iter()) {
            *p = ((s - sums[at]) / @SCALE@).exp();
        }
        let total: f64 = out.score.iter().sum();
        out.score.iter_mut().for_each(|p| *p /= total);
        out.class = Some(at);
        out
    }
}
