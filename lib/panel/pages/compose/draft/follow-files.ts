import { entriesOf } from '../../../media/entries.ts';
import { type Draft, mediaOf, type Options } from './draft.ts';
import type { Files } from './file-lists.ts';

/** Where each file is now, by the place that it had; `undefined` if it is gone. */
export type Places = readonly (number | undefined)[];

/**
 * What options say about files by their places goes with the files when these are moved, and goes when they are removed. Pure.
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

/** Whose options they are. */
export interface OptionsOwner {
  readonly accountId: string;
  /** The key of the step; absent: those of the post itself. */
  readonly step?: string;
}

/** Changes the options of all destinations and steps. Those that stay the same stay the same objects. */
export function withOptions(draft: Draft, change: (options: Options, owner: OptionsOwner) => Options): Draft {
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
export function publishedBy(draft: Draft, accountId: string, stepKey: string | undefined): Files | undefined {
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
export const indexOptions = ['carouselCoverIndex', 'photoCoverIndex'];

export interface Tag {
  readonly mediaIndex?: number;
}

/** The options with other places of the files in them. */
export function withPlaces(options: Options, places: Places): Options {
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
export function filledItems(items: readonly unknown[]): readonly unknown[] {
  const last = items.findLastIndex((item) => Object.keys(item ?? {}).length > 0);
  return Array.from(items.slice(0, last + 1), (item) => item ?? {});
}
