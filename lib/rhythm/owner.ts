import type { Actor } from '../access/actor.ts';

/** Owns the rhythms of the panel. No key has this id: theirs are UUIDs. */
const panel = 'panel';

/**
 * Returns whose rhythm applies when an actor plans posts, and to whom the slots that it takes belong: each API key has rhythms of its
 * own, and all people of a workspace share those of the panel. They plan for the same audience, so one person's posts count towards the
 * daily cap of another's.
 */
export const rhythmOwnerOf = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): string =>
  kind === 'person' ? panel : id;
