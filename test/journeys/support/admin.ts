import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { projectRoot } from './shell.ts';

export interface AdminResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** Runs `npm run admin -- <words>` without npm. */
export type Admin = (...words: string[]) => Promise<AdminResult>;

/** The operator's commands for the local run of a data directory. */
export const adminOf =
  (dataDirectory: string): Admin =>
  async (...words) => {
    const { AWS_PROFILE: _, ...environment } = process.env;
    const child = spawn(process.execPath, [join(projectRoot, 'bin/admin.ts'), ...words], {
      env: { ...environment, DATA_DIR: dataDirectory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { stdout, stderr, exitCode };
  };

/** Writes what `npm run dev` writes for programs, so that commands find the cloud in the directory. */
export function writeDevFile(directory: string, cloud: CloudVisit): void {
  const { apiUrl, awsEndpoint, platforms, demo, other } = cloud;
  const dev = { apiUrl, awsEndpoint, workspaces: [demo, other], platforms, processes: [] };
  writeFileSync(join(directory, 'dev.json'), JSON.stringify(dev));
}
