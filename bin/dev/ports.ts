/** Checks that the ports of a local run are free, before anything is started. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { DataDirectory } from '@herald/local-cloud/data-directory.ts';
import * as z from 'zod';

export interface WantedPort {
  readonly port: number;
  /** The remedy if another program has it. */
  readonly remedy: string;
}

const portsFile = 'ports.json';

/**
 * Returns the ports that a run needs: those of the settings and, unless the API may have any free port, those of the last run,
 * which are kept so that addresses stay the same.
 *
 * @param settings 0: any free port
 */
export function wantedPorts(
  { port, panelPort }: { readonly port: number; readonly panelPort: number },
  data: Pick<DataDirectory, 'path' | 'read'>,
): WantedPort[] {
  const { api: _, panel: __, ...kept } = keptPorts(data);
  return [
    { port, remedy: 'stop the other program or set PORT' },
    { port: panelPort, remedy: 'stop the other program or set PANEL_PORT' },
    ...Object.entries(port === 0 ? {} : kept).map(([name, keptPort]) => ({
      port: keptPort,
      remedy: `it is the port of ${name} since the last run. Stop the other program, or remove ${data.path}/ports.json to use other ports`,
    })),
  ];
}

/** Lets a run use new ports in place of those of the last run that another program now has. */
export async function giveUpTakenPorts(data: Pick<DataDirectory, 'read' | 'write'>): Promise<void> {
  const kept = Object.entries(keptPorts(data));
  const problems = await Promise.all(kept.map(([, port]) => problemOf(port)));
  if (problems.every((problem) => problem === undefined)) return;
  data.write(portsFile, Object.fromEntries(kept.filter((_, index) => problems[index] === undefined)));
}

function keptPorts(data: Pick<DataDirectory, 'read'>): Record<string, number> {
  return z
    .record(z.string(), z.number())
    .catch({})
    .parse(data.read(portsFile) ?? {});
}

/** @throws Error with the remedy if a port is in use, or may not be used */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const [index, { port, remedy }] of wanted.entries()) {
    if (port === 0) continue;
    const isTwice = wanted.slice(0, index).some((other) => other.port === port);
    const code = isTwice ? 'EADDRINUSE' : await problemOf(port);
    if (code === 'EADDRINUSE') throw new Error(`port ${port} is in use: ${remedy}`);
    if (code !== undefined) throw new Error(`port ${port} cannot be used (${code}): ${remedy}`);
  }
}

async function problemOf(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}
