/** Starts several simulators, each with its own port and folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatorClock } from './kit/call.ts';
import { startSimulator } from './kit/simulator.ts';
import type { PlatformDefinition, Simulator } from './kit/types.ts';

export interface RunningSimulators {
  /** The addresses by platform. None ends with a slash. */
  readonly addresses: Readonly<Record<string, { readonly url: string; readonly control: string }>>;
  stop(): Promise<void>;
}

/**
 * Starts a simulator for each definition.
 *
 * @param options.dataDirectory gets one folder per platform; created if missing.
 * @param options.ports the port of each platform in the last run; a platform without one gets any free port.
 * @throws Error with a one-line message if a port is taken; the simulators that had started are stopped first.
 */
export async function startSimulators(options: {
  readonly definitions: readonly PlatformDefinition[];
  readonly dataDirectory: string;
  readonly clock: SimulatorClock;
  readonly ports: Readonly<Record<string, number>>;
}): Promise<RunningSimulators> {
  const { clock } = options;
  const running: Record<string, Simulator> = {};
  const stop = async () => {
    await Promise.all(Object.values(running).map((simulator) => simulator.stop()));
  };
  try {
    for (const definition of options.definitions) {
      const { name } = definition;
      const port = options.ports[name] ?? 0;
      const dataDirectory = join(options.dataDirectory, name);
      mkdirSync(dataDirectory, { recursive: true });
      running[name] = await startSimulator({ definition, dataDirectory, clock, port }).catch(namePort(port));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const addresses = Object.entries(running).map(
    ([name, { url, control }]) => [name, { url, control }] as const,
  );
  return { addresses: Object.fromEntries(addresses), stop };
}

function namePort(port: number): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} is in use: stop the other program`);
  };
}
