    pub struct Prediction {
        pub class: Option<usize>,   // CLASSES[class]; None for a numeric response
        pub score: [f64; @SCORES@], // the mean share of each class, or the number
        pub votes: [f64; @SCORES@], // the share of trees that vote for each class
    }

    pub fn predict(x: &[f64]) -> Prediction {
        let mut out = Prediction { class: None, score: [0.0; @SCORES@], votes: [0.0; @SCORES@] };
        for root in START {
            let mut sum = [0.0; @SCORES@];
            walk(x, *root, &mut sum);
            for (s, v) in out.score.iter_mut().zip(sum.iter()) {
                *s += v;
            }
            if !CLASSES.is_empty() {
                out.votes[chosen(&sum)] += 1.0;
            }
        }
        let n = START.len() as f64;
        out.score.iter_mut().for_each(|s| *s /= n);
        out.votes.iter_mut().for_each(|v| *v /= n);
        if !CLASSES.is_empty() {
            let by_votes = best(&out.votes, 1.0 - 1e-12);
            out.class = Some(if BY_VOTES { by_votes } else { chosen(&out.score) });
        }
        out
    }
}
