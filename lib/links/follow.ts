import type { Clock } from '../kernel/clock.ts';
import { leadingCode } from './codes.ts';
import { type FoundLink, LinkFinder } from './link-finder.ts';
import { clickLost, type LinkStore, linkUnreadable } from './link-table.ts';
import { isClick, type Visit } from './preview.ts';

/** The time that a visitor may wait for the click to be counted. */
const countBudgetMs = 100;

export interface FollowPorts {
  readonly links: LinkStore;
  readonly now: Clock;
  readonly log: (level: 'WARN' | 'ERROR', message: string, error: Error) => void;
}

/**
 * Finds the link of a code. If the visit is a click, counts it.
 *
 * @param text any text; everything after the code is ignored
 */
export type Follow = (text: string, visit: Visit) => Promise<FoundLink>;

/**
 * Makes a function that follows links, with a cache of its own. A click that cannot be counted is lost, but the link is
 * still found. Nothing about the visitor is stored or logged.
 */
export function linkFollower({ links, now, log }: FollowPorts): Follow {
  const finder = new LinkFinder({
    readDestination: (code, budgetMs) => links.readDestination(code, budgetMs),
    onUnreadable: (error) => log('ERROR', linkUnreadable, error),
  });

  async function count(code: string, atMs: number): Promise<void> {
    try {
      await links.countClick(code, atMs, countBudgetMs);
    } catch (error) {
      log('WARN', clickLost, error as Error);
    }
  }

  return async (text, visit) => {
    const code = leadingCode(text);
    if (code === undefined) return { kind: 'unknown' };
    const atMs = now();
    const finding = finder.find(code, atMs);
    // Runs while the table responds.
    const counts = isClick(visit);
    const link = await finding;
    if (link.kind === 'found' && counts) await count(code, atMs);
    return link;
  };
}
