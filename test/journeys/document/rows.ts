import type { Ask } from './asker.ts';
import type { Fixture } from './fixture.ts';

/** The rows of each operation, which cause all of its documented responses that can be caused here. */
export type Rows = Readonly<Record<string, (ask: Ask, fixture: Fixture) => Promise<unknown>>>;

/** An id that does not exist. */
export const unknownId = '0190a000-0000-7000-8000-000000000000';
