import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Scenario } from '../simulate.ts';
import type { StoryEntry } from '../story.ts';

/** Makes texts of a run short: names for ids, and times relative to the start. */
export interface StoryNames {
  /** The name of a known id: `instagram-1`, `workspace-1`. Other ids are cut. */
  of(id: string): string;
  /** Replaces every id and timestamp in a text. */
  in(text: string): string;
  /** @param atMs epoch milliseconds */
  time(atMs: number): string;
  /** Takes the names that an entry introduces. */
  learn(entry: Pick<StoryEntry, 'names'>): void;
}

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const isOwn = (id: string): boolean => id.replace(uuid, '') === '';
const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Names for a run that begins at this time. The run's story introduces the ids. */
export function storyNames({ world }: { readonly world: Pick<Scenario['world'], 'startMs'> }): StoryNames {
  const names = new Map<string, string>();
  /** Names of the platforms' ids, which have any form. */
  const foreign = new Map<string, string>();
  // Ids begin with their time, which is nearly the same for all ids of a run.
  const of = (id: string) => names.get(id) ?? `…${id.slice(-6)}`;
  const time = (atMs: number) => relativeTime(atMs - world.startMs);
  return {
    of,
    time,
    in(text) {
      let result = text.replaceAll(uuid, of).replaceAll(timestamp, (moment) => time(Date.parse(moment)));
      for (const [id, name] of foreign) result = result.replaceAll(id, name);
      return result;
    },
    learn({ names: introduced = {} }) {
      for (const [id, name] of Object.entries(introduced)) (isOwn(id) ? names : foreign).set(id, name);
    },
  };
}

/** A time since the start of a run: `+02:13.250`, or `+1:02:13.250` from an hour on. */
export function relativeTime(milliseconds: number): string {
  const size = Math.abs(Math.floor(milliseconds));
  const two = (count: number) => String(count).padStart(2, '0');
  const hours = Math.floor(size / hourMs);
  const minutes = two(Math.floor((size % hourMs) / minuteMs));
  const seconds = two(Math.floor((size % minuteMs) / secondMs));
  const rest = String(size % secondMs).padStart(3, '0');
  return `${milliseconds < 0 ? '-' : '+'}${hours > 0 ? `${hours}:` : ''}${minutes}:${seconds}.${rest}`;
}
