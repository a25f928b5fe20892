import type { Actor } from '../access/actor.ts';

/** The owner of the panel's rhythms. No key has this id: theirs are UUIDs. */
const panel = 'panel';

/**
 * Returns the owner of an actor's rhythms and of the slots that they take. Each API key has rhythms of its own, and all
 * people of a workspace share those of the panel. People plan for the same audience, so one person's posts count
 * towards another's daily cap.
 */
export const rhythmOwnerOf = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): string =>
  kind === 'person' ? panel : id;
