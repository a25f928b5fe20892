import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation, Workbench } from '../kit/types.ts';
import { killToken } from './sessions.ts';
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
  const known = personNamed(state, username);
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
export function userControls(workbench: Workbench, state: State): Operation[] {
  function addUser({ fields }: Call): Answer {
    const { username, pages } = fields;
    if (typeof username !== 'string' || username === '') return refuse('username: a name');
    if (pages !== undefined && !Array.isArray(pages)) return refuse('pages: a list');
    const person = seedUser(workbench, state, { username, ...(pages !== undefined && { pages }) });
    return json({ ...person, pages: state.pages.list({ owner: person.id }) }, 201);
  }

  /** Every token issued so far is dead from now on; the person may connect again. */
  function revoke({ fields }: Call): Answer {
    const { username, subcode = 460 } = fields;
    const person = typeof username === 'string' ? personNamed(state, username) : undefined;
    if (person === undefined) return refuse('username: no such person');
    if (typeof subcode !== 'number') return refuse('subcode: a number');
    for (const { value } of state.tokens.list({ owner: person.id })) killToken(state, value, subcode);
    return json({ ok: true });
  }

  return [
    operation('users', 'POST', '_control/users', addUser),
    operation('revoke', 'POST', '_control/revoke', revoke),
    operation('comments', 'GET', '_control/comments', () => json(state.comments.list())),
  ];
}

/** The Pages as `GET {control}/accounts` shows them. */
export function listAccounts(state: State, now: number): readonly unknown[] {
  return state.pages.list().map(({ id, name, username, ownerId }: Page) => ({
    id,
    name,
    username,
    person: state.people.get(ownerId)?.username,
    personId: ownerId,
    liveTokens: state.tokens
      .list({ owner: ownerId })
      .filter(({ pageId, deadSubcode, expiresAt = Infinity }) => {
        return pageId === id && deadSubcode === undefined && expiresAt > now;
      }).length,
  }));
}

function personNamed(state: State, username: string): Person | undefined {
  return state.people.list().find((person) => person.username === username);
}

function refuse(error: string): Answer {
  return json({ error }, 400);
}
