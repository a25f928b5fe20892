import { json } from '../kit/answers.ts';
import { refuseControl } from '../kit/control.ts';
import { operation } from '../kit/router.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { userControls, userNamed } from '../kit/user-controls.ts';
import { callbackControls } from '../meta/callbacks.ts';
import type { MetaApp } from '../meta/platform.ts';
import { killTokens, liveTokens } from '../meta/tokens.ts';
import { nextId, type Page, type Person, type State } from './state.ts';

export interface PageSeed {
  readonly name: string;
  readonly username?: string;
  readonly tasks?: readonly string[];
  readonly businessId?: string;
  readonly isListedTwice?: boolean;
}

/** A person to add. Without `pages`, the person gets one Page with their own name. */
export interface UserSeed {
  readonly username: string;
  readonly pages?: readonly PageSeed[];
}

/** Adds a person, or adds Pages to an existing one. A Page with a known name is overwritten. Ids never change. */
export function seedUser({ ledger }: Workbench, state: State, { username, pages }: UserSeed): Person {
  const known = userNamed(state.people, username);
  const person = known ?? { id: nextId(ledger, 'person'), username, name: username, allowedPageIds: null };
  state.people.put(person.id, person);
  const existing = state.pages.list({ owner: person.id });
  for (const { tasks = allTasks, ...seed } of pages ?? [{ name: username, username }]) {
    const id = existing.find(({ name }) => name === seed.name)?.id ?? nextId(ledger, 'page');
    state.pages.put(id, { ...seed, id, ownerId: person.id, tasks });
  }
  return person;
}

const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'];

/** Returns control operations that add people, revoke their tokens, send callbacks and list comments. */
export function facebookControls(workbench: Workbench, state: State, app: MetaApp): Operation[] {
  const find = (username: string) => userNamed(state.people, username);
  const people = userControls(workbench, {
    usernames: { pattern: /./s, rule: 'at least 1 character' },
    find,
    add(username, { pages }) {
      if (pages !== undefined && !Array.isArray(pages)) refuseControl('pages must be a list');
      const person = seedUser(workbench, state, { username, ...(pages !== undefined && { pages }) });
      return { ...person, pages: state.pages.list({ owner: person.id }) };
    },
    revoke: ({ id }, fields) => killTokens(state.tokens, id, fields),
  });
  const callbacks = callbackControls(workbench, {
    app,
    find,
    idsOf: ({ id }) => ({ person: id }),
    end: ({ id }) => killTokens(state.tokens, id, { subcode: 458 }),
  });
  return [
    ...people,
    ...callbacks,
    operation('comments', 'GET', '_control/comments', () => json(state.comments.list())),
  ];
}

/** Returns the Pages as `GET {control}/accounts` shows them. */
export function listAccounts(state: State, now: number): readonly unknown[] {
  return state.pages.list().map(({ id, name, username, ownerId }: Page) => ({
    id,
    name,
    username,
    person: state.people.get(ownerId)?.username,
    personId: ownerId,
    liveTokens: liveTokens(state.tokens, ownerId, now).filter(({ pageId }) => pageId === id).length,
  }));
}
