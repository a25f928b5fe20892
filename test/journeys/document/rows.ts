import type { Ask } from './asker.ts';
import type { Fixture } from './fixture.ts';

/** For an operation: everything it is documented to answer that can be brought about here. */
export type Rows = Readonly<Record<string, (ask: Ask, fixture: Fixture) => Promise<unknown>>>;

/** Nothing has this id. */
export const nobody = '0190a000-0000-7000-8000-000000000000';
