import * as z from 'zod';
import type { Permission, Role } from './permissions.ts';

/** The one who acts: an API key, a signed-in person, or an operator with the admin command. */
export type Actor = KeyActor | PersonActor | OperatorActor;

export interface KeyActor {
  readonly kind: 'key';
  /** The key's id, which rotation keeps. */
  readonly id: string;
  /** Absent if the key has all permissions. */
  readonly permissions?: readonly Permission[] | undefined;
  /** The accounts that the key may use; absent if it may use all. Other accounts do not exist for it. */
  readonly accountIds?: readonly string[] | undefined;
}

export interface PersonActor {
  readonly kind: 'person';
  /** The person's id, which is the same in all workspaces. */
  readonly id: string;
  readonly role: Role;
  readonly sessionId: string;
  /** The person's last sign-in, in epoch milliseconds. */
  readonly signedInAt: number;
}

export interface OperatorActor {
  readonly kind: 'operator';
  /** The operator's name on the machine that runs the admin command. Nothing proves it; CloudTrail has the AWS identity. */
  readonly id: string;
}

/** An actor as the table stores it and the API shows it. */
export const ActorReference = z
  .object({
    kind: z.enum(['key', 'person', 'operator']),
    id: z.string().meta({ description: 'The id of the key or person, or the name of the operator' }),
  })
  .meta({ id: 'Actor' });
export type ActorReference = z.infer<typeof ActorReference>;

export function referenceTo({ kind, id }: ActorReference): ActorReference {
  return { kind, id };
}

/** Returns the accounts that an actor is limited to; `undefined` if it may use all accounts of the workspace. */
export function accountsOf(actor: Actor): ReadonlySet<string> | undefined {
  return actor.kind === 'key' && actor.accountIds ? new Set(actor.accountIds) : undefined;
}

/** True if the account exists for the actor. A key that is limited to some accounts gets "not found" for all others. */
export function seesAccount(actor: Actor, accountId: string): boolean {
  return accountsOf(actor)?.has(accountId) ?? true;
}

/** Returns the session in which a person acts; `undefined` for every other actor. */
export const sessionOf = (actor: Actor): string | undefined =>
  actor.kind === 'person' ? actor.sessionId : undefined;
