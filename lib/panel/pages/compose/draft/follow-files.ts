import type { DraftMedia } from '../../../media/draft-media.ts';
import { entriesOf } from '../../../media/entries.ts';
import type { Draft, Options } from './draft.ts';
import { mediaOf } from './draft.ts';

type Files = readonly DraftMedia[];

/** What options say about files by their places goes with the files when these are moved, and goes when they are removed. Pure. */
export function followFiles(before: Draft, after: Draft): Draft {
  if (before === after) return after;
  const follow = (options: Options, from: Files, to: Files) =>
    from === to || from.length === 0 ? options : withPlaces(options, placesIn(from, to));
  const destinations = after.destinations.map((each) => {
    const was = before.destinations.find(({ accountId }) => accountId === each.accountId) ?? each;
    const options = follow(each.options, mediaOf(before, was), mediaOf(after, each));
    return options === each.options ? each : { ...each, options };
  });
  const chain = after.chain.map((step) => {
    const was = before.chain.find(({ key }) => key === step.key) ?? step;
    const [from, to] = step.kind === 'crossPost' ? [before.media, after.media] : [was.media, step.media];
    const own = Object.entries(step.options);
    const followed = own.map(([accountId, each]) => [accountId, follow(each, from, to)] as const);
    const isSame = followed.every(([, each], place) => each === own[place]?.[1]);
    return isSame ? step : { ...step, options: Object.fromEntries(followed) };
  });
  return { ...after, destinations, chain };
}

/** Where each file is now, by the place that it had; `undefined` if it is gone. */
function placesIn(from: Files, to: Files): readonly (number | undefined)[] {
  const now = new Map(entriesOf(to).map(({ id, place }) => [id, place]));
  return entriesOf(from).map(({ id }) => now.get(id));
}

const indexOptions = ['carouselCoverIndex', 'photoCoverIndex'];

function withPlaces(options: Options, places: readonly (number | undefined)[]): Options {
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
    const tags = userTags.flatMap((tag: { readonly mediaIndex?: number }) => {
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
    const last = items.findLastIndex((item) => Object.keys(item ?? {}).length > 0);
    if (last < 0) delete next['carouselItems'];
    else next['carouselItems'] = Array.from(items.slice(0, last + 1), (item) => item ?? {});
  }
  return next;
}
