/** Invisible characters (joiners, variation selectors, direction marks, soft hyphens), and skin tones. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu;

/**
 * A character with its combining marks. Everyday text has few marks per character. Marks beyond thirty start a new piece
 * (the limit of UAX #15, "Stream-Safe Text Format").
 */
const piece = /.[\p{M}\uff9e\uff9f]{0,30}/gsu;

/** The apostrophes of phones and of other keyboards. NFKC turns `´` into a space with an accent. */
const apostrophes = /[\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u2032\u2035`]| [\u0300\u0301]/g;
const quotationMarks = /[\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e]/g;
const dashes = /[\p{Pd}\u2212]/gu;

/** The letters of a Korean syllable: they are not marks, but NFC composes them to one character. */
const syllable = /(?:[\u1100-\u1112][\u1161-\u1175]|[\uac00-\ud7a3])[\u11a8-\u11c2]?/g;

/**
 * Normalizes keywords and comments for comparison. It removes the differences between compatibility forms and plain ones
 * (NFKC: `ＬＩＮＫ`, `𝗹𝗶𝗻𝗸` and `link`), between upper and lower case, between the four Turkish letters İ, I, ı and i,
 * between emoji with and without variation selectors, joiners and skin tones, between kinds of apostrophes, quotation marks and
 * dashes, and between kinds and lengths of white space. It trims white space at the ends.
 *
 * Takes time linear in the text's length: it normalizes piece by piece, because normalizing a whole text takes the square
 * of the longest run of marks in it.
 */
export function normalizeText(text: string): string {
  const folded = text.replace(unseen, '').replace(piece, normalizePiece);
  const composed = folded.replace(syllable, (letters) => letters.normalize('NFC'));
  return composed.replace(/\s+/g, ' ').trim();
}

function normalizePiece(characters: string): string {
  // Upper case and back unites letters that differ only in lower case: `ß` and `ss`, `ς` and `σ`, `ı` and `i`.
  const folded = characters.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return folded
    .replace('i\u0307', 'i')
    .normalize('NFKC')
    .replace(apostrophes, "'")
    .replace(quotationMarks, '"')
    .replace(dashes, '-');
}
