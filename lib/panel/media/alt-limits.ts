import type { Platform } from '../../platforms/contract/names.ts';
import { altTextCharacters as instagram } from '../../platforms/instagram/limits.ts';
import { altTextCharacters as linkedin } from '../../platforms/linkedin/limits.ts';
import { altTextCharacters as pinterest } from '../../platforms/pinterest/limits.ts';
import { altTextCharacters as threads } from '../../platforms/threads/limits.ts';
import { platformTitles } from '../accounts/platforms.ts';

/** Of a file, whatever its platforms take. */
const mostOfAll = 5_000;
const limits: Partial<Record<Platform, number>> = { instagram, linkedin, pinterest, threads };

export interface AltLimit {
  readonly characters: number;
  /** Whose limit it is, as people write them; empty if it is the service's own. */
  readonly platforms: string;
}

const list = new Intl.ListFormat('en-GB');

/** How long a description may be on all of the post's platforms. */
export function altLimitOf(platforms: readonly Platform[]): AltLimit {
  const characters = Math.min(mostOfAll, ...platforms.map((each) => limits[each] ?? mostOfAll));
  const strictest = platforms.filter((each) => limits[each] === characters);
  return { characters, platforms: list.format([...new Set(strictest)].map((each) => platformTitles[each])) };
}
