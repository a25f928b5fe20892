import type { Platform } from '../../platforms/contract/names.ts';
import { read, write } from '../api/stored.ts';
import { platformOf } from './platforms.ts';

/** The attempt that this tab remembers while the person is at a platform. Nothing in it is secret: the code is what connects. */
export interface Attempt {
  readonly state: string;
  readonly platform: Platform;
  /** The account that is to be connected again. */
  readonly accountId?: string | undefined;
}

const name = 'connection-attempt';
const ofTab = () => sessionStorage;

/** Remembers the attempt that this tab begins. There is one at a time. */
export function rememberAttempt(attempt: Attempt): void {
  write(ofTab, name, JSON.stringify(attempt));
}

/** The attempt that this tab began last. */
export function rememberedAttempt(): Attempt | undefined {
  try {
    const { state, platform, accountId } = JSON.parse(read(ofTab, name) ?? '{}') as Record<string, unknown>;
    const known = platformOf(platform);
    if (typeof state !== 'string' || known === undefined) return undefined;
    return { state, platform: known, accountId: typeof accountId === 'string' ? accountId : undefined };
  } catch {
    return undefined;
  }
}
