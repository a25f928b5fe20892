import { type Kept, parseKept, type WorkKind } from '../../../unfinished/kept-work.ts';
import type { Draft } from './draft.ts';

/** Posts, and changes of posts, that are not sent. */
export const postWork: WorkKind<Draft> = {
  prefix: 'compose',
  isDraft: (value): value is Draft => {
    if (typeof value !== 'object' || value === null) return false;
    const { id, content, media, destinations, parked, when, chain } = value as Partial<Draft>;
    return (
      typeof id === 'string' &&
      typeof content === 'string' &&
      typeof when === 'object' &&
      [media, destinations, parked, chain].every(Array.isArray)
    );
  },
};

/** A post as this browser keeps it. */
export type KeptPost = Kept<Draft>;

/** Reads what another tab has kept. */
export const parsePost = (text: string | null): KeptPost | undefined => parseKept(text, postWork, Date.now());
