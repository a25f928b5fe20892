import { contentOf, type Draft, type Options } from './draft.ts';

interface Range {
  readonly offset: number;
  readonly length: number;
}

/** Words that an option hides stay the hidden ones while the text around them is edited. Pure. */
export function followText(before: Draft, after: Draft): Draft {
  const destinations = after.destinations.map((each) => {
    const was = before.destinations.find(({ accountId }) => accountId === each.accountId) ?? each;
    return { ...each, options: withRanges(each.options, contentOf(before, was), contentOf(after, each)) };
  });
  const chain = after.chain.map((step) => {
    const was = before.chain.find(({ key }) => key === step.key) ?? step;
    const [from, to] =
      step.kind === 'crossPost' ? [before.content, after.content] : [was.content, step.content];
    const options = Object.entries(step.options).map(
      ([accountId, each]) => [accountId, withRanges(each, from, to)] as const,
    );
    return { ...step, options: Object.fromEntries(options) };
  });
  return { ...after, destinations, chain };
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
