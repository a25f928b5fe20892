import type { Ledger } from '../kit/ledger.ts';
import { nextId, type Person, type State } from './state.ts';

/** Returns the person with this username, as this account sees them. Creates them, with a new id, on first use. */
export function personNamed(ledger: Ledger, state: State, igId: string, username: string): Person {
  const name = `${igId}/${username}`;
  const known = state.people.get(state.peopleByName.get(name) ?? '');
  if (known !== undefined) return known;
  const person: Person = { id: nextId(ledger, 'person'), igId, username };
  state.people.put(person.id, person);
  state.peopleByName.put(name, person.id);
  return person;
}

/** Records that the person wrote or tapped. This opens the messaging window and makes their profile readable. */
export function recordContact(state: State, person: Person, at: number): void {
  state.people.put(person.id, { ...person, lastHeardAt: at });
}

/** Returns the fields of `GET /<IGSID>`. The follow flag is absent if a test has set it to null. */
export function profileFields({ id, username }: Person, state: State): Record<string, unknown> {
  const set = state.follows.get(username);
  const follows = set === undefined ? false : set;
  return {
    id,
    username,
    name: username,
    profile_pic: `https://scontent.cdninstagram.com/p/${id}.jpg`,
    follower_count: 100,
    is_user_follow_business: follows ?? undefined,
    is_business_follow_user: false,
    is_verified_user: false,
  };
}
