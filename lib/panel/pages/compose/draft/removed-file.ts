import type { Draft, Options } from './draft.ts';
import { filesOf, withFiles } from './file-lists.ts';
import {
  filledItems,
  followFiles,
  indexOptions,
  type OptionsOwner,
  type Places,
  publishedBy,
  type Tag,
  withOptions,
  withPlaces,
} from './follow-files.ts';
import { isSame } from './to-request.ts';

/**
 * Removes a file, with all that options say about it. Pure.
 *
 * @param of the key of the field that has it
 */
export function removeFile(draft: Draft, of: string, place: number): Draft {
  const files = filesOf(draft, of);
  if (files?.[place] === undefined) return draft;
  return followFiles(draft, withFiles(draft, of, files.toSpliced(place, 1)), (from) => without(place, from));
}

/**
 * Puts a file back that was removed, with what options said about it. What was changed since then stays. Pure.
 *
 * @param before the draft as it still had the file
 * @param place the place that it had
 */
export function putFileBack(draft: Draft, of: string, place: number, before: Draft): Draft {
  const files = filesOf(draft, of);
  const then = filesOf(before, of);
  const removed = then?.[place];
  if (files === undefined || then === undefined || removed === undefined) return draft;
  const now = Math.min(place, files.length);
  const after = withFiles(draft, of, files.toSpliced(now, 0, removed));
  const list = filesOf(after, of);
  const moved = followFiles(draft, after, (from) =>
    from.map((_, index) => (index < now ? index : index + 1)),
  );
  return withOptions(moved, (options, owner) => {
    const { accountId, step } = owner;
    if (publishedBy(before, accountId, step) !== then || publishedBy(after, accountId, step) !== list)
      return options;
    const was = optionsOf(before, owner);
    // Nothing was changed since: then the draft is as it was, to the order of the tags.
    if (now === place && isSame(withPlaces(was, without(place, then)), optionsOf(draft, owner))) return was;
    return withSaid(options, was, place, now);
  });
}

/** Where the files of a list are without one of them. */
const without = (place: number, from: readonly unknown[]): Places =>
  from.map((_, index) => (index === place ? undefined : index < place ? index : index - 1));

function optionsOf({ destinations, chain }: Draft, { accountId, step }: OptionsOwner): Options {
  const owner =
    step === undefined
      ? destinations.find((each) => each.accountId === accountId)?.options
      : chain.find(({ key }) => key === step)?.options[accountId];
  return owner ?? {};
}

/** Options with what others say about the file at a place, which is another one now. */
function withSaid(options: Options, was: Options, place: number, now: number): Options {
  const next: Record<string, unknown> = { ...options };
  for (const name of indexOptions) if (was[name] === place && next[name] === undefined) next[name] = now;
  const tags = listIn<Tag>(was['userTags']).filter(({ mediaIndex = 0 }) => mediaIndex === place);
  if (tags.length > 0)
    next['userTags'] = [
      ...listIn<Tag>(options['userTags']),
      ...tags.map((tag) => (place === now ? tag : { ...tag, mediaIndex: now })),
    ];
  const text = listIn<object>(was['carouselItems'])[place];
  if (text !== undefined && Object.keys(text).length > 0) {
    const items = [...listIn<object>(options['carouselItems'])];
    items[now] = text;
    next['carouselItems'] = filledItems(items);
  }
  return next;
}

const listIn = <Each>(value: unknown): readonly Each[] => (Array.isArray(value) ? value : []);
