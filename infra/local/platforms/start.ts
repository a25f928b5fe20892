/** Starts simulators side by side, each with a port and a folder of its own. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from './kit/simulator.ts';
import type { PlatformDefinition, Simulator, SimulatorClock } from './kit/types.ts';

export interface RunningSimulators {
  /** By platform; neither address ends with a slash. */
  readonly addresses: Readonly<Record<string, { readonly url: string; readonly control: string }>>;
  stop(): Promise<void>;
}

/**
 * Starts a simulator for each definition.
 *
 * @param options.dataDirectory holds a folder for each platform; made when missing.
 * @param options.ports those of the last run, by platform; any free port if there is none.
 * @throws Error with one line if a port is taken; none is left running then.
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
