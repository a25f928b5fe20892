import { openSealingKeys } from '../../../lib/accounts/sealing-keys.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import type { DataKeys } from '../../../lib/aws/data-keys.ts';
import { minuteMs, systemClock } from '../../../lib/kernel/clock.ts';
import type { PlatformHttp } from '../../../lib/platforms/contract/http.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PlatformApp, PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import type { Table } from '../../../lib/table/table.ts';
import { InjectedError } from '../world/faults.ts';
import { currentProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** The key service. Requests can fail; keys that an environment has opened stay in its cache. */
export function dataKeysOf(world: World, keys: DataKeys): DataKeys {
  const ask = <Answer>(what: string, effect: () => Promise<Answer>): Promise<Answer> =>
    world.call(currentProcess(), what, () => {
      if (world.outageOf('key service')) throw new InjectedError('the key service does not answer');
      if (world.happens('keyServiceFails')) throw new InjectedError('the key service failed');
      return effect();
    });
  return {
    generate: (context) => ask('generates a data key', () => keys.generate(context)),
    open: (sealed, context) => ask('decrypts a data key', () => keys.open(sealed, context)),
  };
}

/** A vault of one environment. @param table absent: each text has a data key of its own */
export const openVault = (world: World, keys: DataKeys, table?: Table): Vault =>
  new Vault(dataKeysOf(world, keys), systemClock, table && openSealingKeys(table, systemClock));

/**
 * Time that an environment keeps a parameter, like `openParameters`. Stricter than that: an old value is not used while the
 * store fails.
 */
const parameterKeptMs = 5 * minuteMs;

/** Opens the tools of adapters in one environment: the app's credentials from the parameter store, and a network. */
export function openTools(world: World, app: PlatformApp, networkOf: (platform: Platform) => PlatformHttp) {
  const readUntil = new Map<Platform, number>();
  return async (platform: Platform): Promise<PlatformTools> => {
    if ((readUntil.get(platform) ?? 0) <= world.now()) {
      await world.call(currentProcess(), `reads the parameter of ${platform}`, () => {
        if (world.outageOf('parameters')) throw new InjectedError('the parameter store does not answer');
        if (world.happens('parametersFail')) throw new InjectedError('the parameter store failed');
      });
      readUntil.set(platform, world.now() + parameterKeptMs);
    }
    return { app, now: systemClock, http: networkOf(platform) };
  };
}
