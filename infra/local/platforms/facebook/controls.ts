import { json } from '../kit/answers.ts';
import { refuseControl } from '../kit/control.ts';
import { operation } from '../kit/router.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { userControls, userNamed } from '../kit/user-controls.ts';
import { killTokens, liveTokens } from '../meta/tokens.ts';
import { nextId, type Page, type Person, type State } from './state.ts';

export interface PageSeed {
  readonly name: string;
  readonly username?: string;
  readonly tasks?: readonly string[];
  readonly businessId?: string;
}

/** A person as a test or the local run describes one; without Pages they have one that is called as they are. */
export interface UserSeed {
  readonly username: string;
  readonly pages?: readonly PageSeed[];
}

/** Adds a person, or the Pages that are not there yet; ids never change. */
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

/** What a test calls to play the people of Facebook. */
export function facebookControls(workbench: Workbench, state: State): Operation[] {
  const people = userControls({
    usernames: { pattern: /./s, rule: 'a name' },
    find: (username) => userNamed(state.people, username),
    add(username, { pages }) {
      if (pages !== undefined && !Array.isArray(pages)) refuseControl('pages: a list');
      const person = seedUser(workbench, state, { username, ...(pages !== undefined && { pages }) });
      return { ...person, pages: state.pages.list({ owner: person.id }) };
    },
    revoke: ({ id }, fields) => killTokens(state.tokens, id, fields),
  });
  return [...people, operation('comments', 'GET', '_control/comments', () => json(state.comments.list()))];
}

/** The Pages as `GET {control}/accounts` shows them. */
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
