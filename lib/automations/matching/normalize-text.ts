/** What has no look of its own: joiners, variation selectors, direction marks, soft hyphens; and skin tones. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu;

/**
 * A character with the marks that belong to it. One of everyday text has few; those beyond thirty (as in UAX #15,
 * "Stream-Safe Text Format") begin a piece of their own.
 */
const piece = /.[\p{M}\uff9e\uff9f]{0,30}/gsu;

/** The letters of a Korean syllable, which are no marks and yet become one character. */
const syllable = /(?:[\u1100-\u1112][\u1161-\u1175]|[\uac00-\ud7a3])[\u11a8-\u11c2]?/g;

/**
 * The text as keywords and comments are compared: compatibility forms are one with the plain ones (NFKC: `ＬＩＮＫ`,
 * `𝗹𝗶𝗻𝗸` and `link`), so are upper and lower case, the four Turkish letters İ, I, ı and i, emoji with and without
 * variation selectors, joiners and skin tones, and white space of any kind and length; none is left at the ends.
 *
 * Takes steps in proportion to the text: normalising a whole text at once takes the square of the longest run of marks
 * in it, so it is done piece by piece.
 */
export function normalizeText(text: string): string {
  const folded = text.replace(unseen, '').replace(piece, normalizePiece);
  const composed = folded.replace(syllable, (letters) => letters.normalize('NFC'));
  return composed.replace(/\s+/g, ' ').trim();
}

function normalizePiece(characters: string): string {
  // To upper case and back folds what differs in lower case alone, as `ß` and `ss`, `ς` and `σ`, `ı` and `i`.
  const folded = characters.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replace('i\u0307', 'i').normalize('NFKC');
}
