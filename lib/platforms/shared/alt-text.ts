import { type RuleProblem, ruleProblem } from '../contract/rules.ts';

/** A file with its alternative text, if the post gives one with the file. */
interface DescribedFile {
  readonly altText?: string | undefined;
}

/**
 * Returns the alternative text of one of a post's files. The destination's own option takes precedence over the text
 * that the post gives with the file. An empty text counts as none.
 *
 * @param option `platformSpecificData.altText`: one text for the first file, or a list in the order of the files
 * @param index the file's position in the post
 */
export function altTextOf(
  option: string | readonly string[] | undefined,
  media: readonly DescribedFile[],
  index: number,
): string | undefined {
  const texts = typeof option === 'string' ? [option] : option;
  return texts?.[index] || media[index]?.altText || undefined;
}

/**
 * Checks the texts that a post gives with its files.
 *
 * @param media the files, with the texts that are sent
 * @param platform the platform's title
 */
export function altTextProblems(
  media: readonly DescribedFile[],
  maxCharacters: number,
  platform: string,
): RuleProblem[] {
  return media.flatMap(({ altText = '' }, index) => {
    const count = [...altText].length;
    if (count <= maxCharacters) return [];
    const message = `${platform} allows at most ${maxCharacters} characters; this text has ${count}`;
    return [ruleProblem(`mediaItems[${index}].altText`, 'alt_text_too_long', message)];
  });
}

/** Checks that the destination's own option has no texts beyond those of the files. @param option as for {@link altTextOf} */
export function surplusAltTextProblems(
  option: string | readonly string[] | undefined,
  files: number,
): RuleProblem[] {
  if (option === undefined || typeof option === 'string' || option.length <= files) return [];
  const message = 'must not have more entries than the post has media items';
  return [ruleProblem('platformSpecificData.altText', 'option_invalid', message)];
}

/** Warns that a platform takes no alternative texts. @param platform the platform's title */
export function ignoredAltTexts(media: readonly DescribedFile[], platform: string): RuleProblem[] {
  return media.flatMap(({ altText }, index) =>
    altText ? [ignoredAltText(index, `${platform} takes none`)] : [],
  );
}

/** Warns that a file's alternative text is left out. @param index the file's position in the post */
export function ignoredAltText(index: number, reason: string): RuleProblem {
  return ruleProblem(`mediaItems[${index}].altText`, 'alt_text_ignored', `is left out: ${reason}`);
}

/** Returns the files without the texts that the destination's own option replaces. @param option as for {@link altTextOf} */
export function withoutReplaced(
  option: string | readonly string[] | undefined,
  media: readonly DescribedFile[],
): DescribedFile[] {
  return media.map((file, index) => (altTextOf(option, media, index) === file.altText ? file : {}));
}
