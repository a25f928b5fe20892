/**
 * A pattern for a character of a script that does not separate words with spaces, or of Korean, where particles follow a word
 * directly: a text does not show where its words end.
 */
export const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
