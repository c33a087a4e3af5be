fn main() {
    use std::io::BufRead;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let x: Vec<f64> = line
            .split('\t')
            .take(@N_INPUTS@)
            .enumerate()
            .map(|(i, t)| match t.chars().next() {
                Some('h') => {
                    let bytes: Vec<u8> = (1..t.len()).step_by(2)
                        .map(|j| u8::from_str_radix(&t[j..j + 2], 16).unwrap()).collect();
                    @NAME@::level(i, std::str::from_utf8(&bytes).unwrap())
                }
                Some('_') => f64::NAN,
                _ => t.parse().unwrap(),
            })
            .collect();
        let p = @NAME@::predict(&x);
        let label = p.class.map_or("_".to_string(), |k| {
            @NAME@::CLASSES[k].bytes().fold("h".to_string(), |s, b| s + &format!("{:02x}", b))
        });
        let scores: Vec<String> = p.score.iter().map(|s| format!("{:e}", s)).collect();
        println!("{}\t{}\t{}", p.node, label, scores.join("\t"));
    }
}
