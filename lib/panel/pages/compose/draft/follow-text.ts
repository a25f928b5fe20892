import { contentOf, type Draft, type Options } from './draft.ts';
import { withOptions } from './follow-files.ts';

interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Words that an option hides stay the hidden ones while the text around them is edited. Pure. */
export function followText(before: Draft, after: Draft): Draft {
  return withOptions(after, (options, { accountId, step }) => {
    const from = writtenBy(before, accountId, step);
    const to = writtenBy(after, accountId, step);
    return from === undefined || to === undefined ? options : withRanges(options, from, to);
  });
}

/** The text that an account publishes, in the post or in a step of its chain; `undefined` if it is in neither. */
function writtenBy(draft: Draft, accountId: string, stepKey: string | undefined): string | undefined {
  if (stepKey !== undefined) {
    const step = draft.chain.find(({ key }) => key === stepKey);
    return step?.kind === 'crossPost' ? draft.content : step?.content;
  }
  const destination = draft.destinations.find((each) => each.accountId === accountId);
  return destination && contentOf(draft, destination);
}

function withRanges(options: Options, from: string, to: string): Options {
  const { textSpoilers, ...others } = options;
  if (from === to || !Array.isArray(textSpoilers)) return options;
  const ranges = textSpoilers.flatMap((range: Range) => moved(range, from, to) ?? []);
  return ranges.length === 0 ? others : { ...options, textSpoilers: ranges };
}

/** Where the range is after an edit between what both texts begin and end with; `undefined` if it was deleted. */
function moved({ offset, length }: Range, from: string, to: string): Range | undefined {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start++;
  let same = 0;
  while (same < most - start && from.at(-1 - same) === to.at(-1 - same)) same++;
  const end = from.length - same;
  const shift = to.length - from.length;
  const last = offset + length;
  if (last <= start) return { offset, length };
  if (offset >= end) return { offset: offset + shift, length };
  const first = Math.min(offset, start);
  const left = (last >= end ? last + shift : start) - first;
  return left > 0 ? { offset: first, length: left } : undefined;
}
