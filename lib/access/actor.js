import * as z from 'zod';
/** An actor as the table stores it and the API shows it. */
export const ActorReference = z
    .object({
    kind: z.enum(['key', 'person', 'operator']),
    id: z.string().meta({ description: 'The id of the key or person, or the name of the operator' }),
})
    .meta({ id: 'Actor' });
export function referenceTo({ kind, id }) {
    return { kind, id };
}
/** The accounts that an actor is limited to; `undefined` if it may use all accounts of the workspace. */
export function accountsOf(actor) {
    return actor.kind === 'key' && actor.accountIds ? new Set(actor.accountIds) : undefined;
}
/** Whether an account exists for the actor. An account outside a key's list is treated as one that nobody knows. */
export function seesAccount(actor, accountId) {
    return accountsOf(actor)?.has(accountId) ?? true;
}
/** The session in which a person acts; `undefined` for every other actor. */
export const sessionOf = (actor) => actor.kind === 'person' ? actor.sessionId : undefined;
