import type { Platform } from '../contract/names.ts';
import type { AccountLimit } from '../contract/rules.ts';
import { accountLimit as facebook } from '../facebook/limits.ts';

/** The limits of single accounts, by platform: those of the rules, for the relay, which needs nothing else from them. */
export const accountLimits: Readonly<Partial<Record<Platform, AccountLimit>>> = { facebook };
