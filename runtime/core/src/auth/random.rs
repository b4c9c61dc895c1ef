//! Secrets: letters and digits from the operating system's source.

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Random letters and digits, each as likely as the other.
///
/// # Panics
///
/// When the operating system has no randomness to give: no secret could be made.
pub fn random_text(length: usize) -> String {
    let mut text = String::with_capacity(length);
    let mut bytes = [0_u8; 64];
    while text.len() < length {
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        // 248 is the largest multiple of 62 in a byte: larger bytes would favour some letters.
        let fair = bytes.iter().filter(|byte| **byte < 248);
        let missing = length - text.len();
        text.extend(
            fair.take(missing)
                .map(|byte| char::from(LETTERS[usize::from(byte % 62)])),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_their_length_and_differ() {
        for length in [0, 1, 40, 200] {
            let text = random_text(length);
            assert_eq!(text.len(), length);
            assert!(
                text.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                "{text}"
            );
        }
        assert_ne!(random_text(40), random_text(40));
    }
}
