    pub fn level(input: usize, label: &str) -> f64 {
        LEVELS[input].iter().position(|l| *l == label).map_or(0.0, |i| i as f64 + 1.0)
    }
