import { type DraftMedia, entriesOf } from '../../../media/draft-media.ts';
import { contentOf, type Draft, mediaOf, type Options } from './draft.ts';
import { keys } from './places.ts';
import { isSame } from './to-request.ts';

/** The place of each file now, by the place that it had; `undefined` if it is gone. */
type Places = readonly (number | undefined)[];

/**
 * Lets what options say about files by their places follow the files when these are moved, and go when they are removed. Pure.
 *
 * @param placesOf where the files of a list are in what it has become; by default each is recognized by its address
 */
export function followFiles(
  before: Draft,
  after: Draft,
  placesOf: (from: Files, to: Files) => Places = placesIn,
): Draft {
  if (before === after) return after;
  return withOptions(after, (options, { accountId, step }) => {
    const from = publishedBy(before, accountId, step);
    const to = publishedBy(after, accountId, step);
    return from === undefined || to === undefined || from === to || from.length === 0
      ? options
      : withPlaces(options, placesOf(from, to));
  });
}

/** The owner of options: an account, in the post or in a step. */
interface OptionsOwner {
  readonly accountId: string;
  /** The key of the step; absent: those of the post itself. */
  readonly step?: string;
}

/** Changes the options of all destinations and steps. Those that stay the same stay the same objects. */
function withOptions(draft: Draft, change: (options: Options, owner: OptionsOwner) => Options): Draft {
  const destinations = draft.destinations.map((each) => {
    const options = change(each.options, each);
    return options === each.options ? each : { ...each, options };
  });
  const chain = draft.chain.map((step) => {
    const own = Object.entries(step.options);
    const changed = own.map(
      ([accountId, each]) => [accountId, change(each, { accountId, step: step.key })] as const,
    );
    const isSame = changed.every(([, each], place) => each === own[place]?.[1]);
    return isSame ? step : { ...step, options: Object.fromEntries(changed) };
  });
  const isSame = <Each>(list: readonly Each[], before: readonly Each[]) =>
    list.every((each, place) => each === before[place]);
  return {
    ...draft,
    destinations: isSame(destinations, draft.destinations) ? draft.destinations : destinations,
    chain: isSame(chain, draft.chain) ? draft.chain : chain,
  };
}

/** The files that an account publishes, in the post or in a step of its chain; `undefined` if it is in neither. */
function publishedBy(draft: Draft, accountId: string, stepKey: string | undefined): Files | undefined {
  if (stepKey !== undefined) {
    const step = draft.chain.find(({ key }) => key === stepKey);
    return step?.kind === 'crossPost' ? draft.media : step?.media;
  }
  const destination = draft.destinations.find((each) => each.accountId === accountId);
  return destination && mediaOf(draft, destination);
}

function placesIn(from: Files, to: Files): Places {
  const now = new Map(entriesOf(to).map(({ id, place }) => [id, place]));
  return entriesOf(from).map(({ id }) => now.get(id));
}

/** The options that name one file by its place. */
const indexOptions = ['carouselCoverIndex', 'photoCoverIndex'];

interface Tag {
  readonly mediaIndex?: number;
}

/** The options with other places of the files in them. */
function withPlaces(options: Options, places: Places): Options {
  if (places.every((now, place) => now === place)) return options;
  const next: Record<string, unknown> = { ...options };
  for (const name of indexOptions) {
    const index = options[name];
    if (typeof index !== 'number') continue;
    const now = places[index];
    if (now === undefined) delete next[name];
    else next[name] = now;
  }
  const { userTags, carouselItems } = options;
  if (Array.isArray(userTags)) {
    const tags = userTags.flatMap((tag: Tag) => {
      const { mediaIndex = 0 } = tag;
      const now = places[mediaIndex];
      if (now === undefined) return [];
      return now === mediaIndex ? [tag] : [{ ...tag, mediaIndex: now }];
    });
    if (tags.length > 0) next['userTags'] = tags;
    else delete next['userTags'];
  }
  if (Array.isArray(carouselItems)) {
    const items: unknown[] = [];
    carouselItems.forEach((item: unknown, place) => {
      const now = places[place];
      if (now !== undefined) items[now] = item;
    });
    const filled = filledItems(items);
    if (filled.length > 0) next['carouselItems'] = filled;
    else delete next['carouselItems'];
  }
  return next;
}

/** The texts of a carousel without holes, up to the last one that says something. */
function filledItems(items: readonly unknown[]): readonly unknown[] {
  const last = items.findLastIndex((item) => Object.keys(item ?? {}).length > 0);
  return Array.from(items.slice(0, last + 1), (item) => item ?? {});
}

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

/** Returns the places of files once one of them is removed. */
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

/** Returns the range after an edit between what both texts begin and end with; `undefined` if it was deleted. */
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

type Files = readonly DraftMedia[];

/**
 * The files that a field of a draft has: the shared ones, or those of an account or of a step.
 *
 * @param key the key of the field
 * @returns `undefined` if the draft has no such list, such as one of an account that inherits
 */
function filesOf({ media, destinations, chain }: Draft, key: string): Files | undefined {
  if (key === keys.media) return media;
  return (
    destinations.find(({ accountId }) => keys.ownMedia(accountId) === key)?.media ??
    chain.find((step) => keys.step(step.key, 'media') === key)?.media
  );
}

/** The draft with other files in a list that it has. Pure. */
function withFiles(draft: Draft, key: string, media: Files): Draft {
  if (key === keys.media) return { ...draft, media };
  return {
    ...draft,
    destinations: draft.destinations.map((each) =>
      keys.ownMedia(each.accountId) === key ? { ...each, media } : each,
    ),
    chain: draft.chain.map((step) => (keys.step(step.key, 'media') === key ? { ...step, media } : step)),
  };
}
