/**
 * Matches a character of a script whose words are not separated by spaces, or of Korean, whose particles follow a word without one:
 * nothing in a text says where their words end.
 */
export const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
