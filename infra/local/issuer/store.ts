/** The provider's state, in memory: a restart signs everybody out at the issuer. */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

export interface IssuerClock {
  /** Returns epoch milliseconds. */
  now(): number;
}

/** The names of fields with epoch seconds, in the library's stored data and in id tokens. */
const times = ['iat', 'exp', 'loginTs', 'authTime', 'auth_time'];

/** Returns the seconds by which a clock is ahead of this machine's. */
export function secondsAhead(clock: IssuerClock): number {
  return Math.floor(clock.now() / 1_000) - Math.floor(Date.now() / 1_000);
}

/** Moves the times in data that the library stores, or in the claims of an id token. */
export function shiftTimes<Value extends object>(value: Value, seconds: number): Value {
  const moved = Object.entries(value).filter(([name]) => times.includes(name));
  return { ...value, ...Object.fromEntries(moved.map(([name, time]) => [name, time + seconds])) };
}

/**
 * Opens the store of a provider.
 *
 * The library reads the time only from this machine. So the store keeps times of the given clock and converts them for the
 * library: anything that has expired by that clock has expired for the library.
 */
export function openStore(clock: IssuerClock): AdapterFactory {
  const values = new Map<string, AdapterPayload>();
  return (model): Adapter => {
    const keyOf = (id: string) => `${model}:${id}`;
    const ours = () => [...values].filter(([key]) => key.startsWith(keyOf('')));
    async function find(id: string) {
      const found = values.get(keyOf(id));
      return found && shiftTimes(found, -secondsAhead(clock));
    }
    return {
      find,
      async upsert(id, payload) {
        values.set(keyOf(id), shiftTimes(payload, secondsAhead(clock)));
      },
      async findByUid(uid) {
        const [, session] = ours().find(([, payload]) => payload.uid === uid) ?? [];
        return session?.jti === undefined ? undefined : find(session.jti);
      },
      findByUserCode: async () => undefined,
      async consume(id) {
        values.set(keyOf(id), { ...values.get(keyOf(id)), consumed: true });
      },
      async destroy(id) {
        values.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of ours()) if (payload.grantId === grantId) values.delete(key);
      },
    };
  };
}
