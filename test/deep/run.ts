/** The command `npm run test:deep`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds } from '../support/cpu/cpu-seconds.ts';

interface Part {
  readonly name: string;
  /** One line for `--help`. */
  readonly title: string;
  /** Arguments of npm. */
  readonly commands: readonly (readonly string[])[];
}

const vitest = (...projects: readonly string[]) => [
  'exec',
  '--',
  'vitest',
  'run',
  '--config',
  'vitest.deep.config.ts',
  ...projects.map((name) => `--project=${name}`),
];
const script = (name: string, ...options: readonly string[]) => ['run', '--silent', name, '--', ...options];

/** Everything that the daily run leaves out, and the daily files on the real database engine. */
const parts: readonly Part[] = [
  {
    name: 'units',
    title: 'lib, functions, every template and all generated requests, on the real database engine',
    commands: [vitest('units')],
  },
  {
    name: 'packages',
    title: 'the local cloud, the platform simulators and the identity provider',
    commands: ['local-cloud', 'platform-simulators', 'oidc-issuer', 'loopback'].map((name) => [
      'test',
      '--workspace',
      `@herald/${name}`,
    ]),
  },
  {
    name: 'simulation',
    title: '1,000 seeds of random faults, and a crash or a pause at every external call',
    commands: [script('simulate'), script('simulate', '--crash-points')],
  },
  { name: 'fuzz', title: '20,000 damaged media files', commands: [script('fuzz:media')] },
  {
    name: 'journeys',
    title: 'all journeys, and all benches at their smallest size',
    commands: [vitest('journeys', 'browser-journeys')],
  },
  { name: 'panel', title: 'every page of the panel, in all widths and themes', commands: [vitest('panel')] },
  {
    name: 'bad-day',
    title: 'all journeys on a bad day of AWS: lag, conflicts, throttling, slow functions',
    commands: [script('simulate', '--local-cloud')],
  },
];

const help = `Runs everything that npm test leaves out, in parts: npm run test:deep -- [part …]

${parts.map(({ name, title }) => `  ${name.padEnd(11)} ${title}`).join('\n')}

Without a part, runs all of them in this order. Ends with one summary, and with status 1 if a part failed.`;

interface Result {
  readonly name: string;
  readonly hasPassed: boolean;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

async function runPart({ name, title, commands }: Part, progress: string): Promise<Result> {
  console.log(`\n${progress} ${name}: ${title}`);
  const startMs = performance.now();
  const cpuBefore = cpuSeconds(process.pid);
  let hasPassed = true;
  for (const command of commands) {
    const child = spawn('npm', command, { stdio: 'inherit', cwd: join(import.meta.dirname, '../..') });
    const [status] = await once(child, 'exit');
    hasPassed &&= status === 0;
  }
  return {
    name,
    hasPassed,
    wallSeconds: (performance.now() - startMs) / 1_000,
    cpuSeconds: cpuSeconds(process.pid) - cpuBefore,
  };
}

function summaryOf(results: readonly Result[]): string {
  const lines = results.map(({ name, hasPassed, wallSeconds, cpuSeconds: cpu }) => {
    const minutes = (wallSeconds / 60).toFixed(1).padStart(6);
    return `  ${name.padEnd(11)} ${hasPassed ? 'passed' : 'FAILED'} ${minutes} min ${cpu.toFixed(0).padStart(6)} CPU s`;
  });
  return `\nThe deep run:\n${lines.join('\n')}`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}.\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const results: Result[] = [];
  for (const [index, part] of chosen.entries())
    results.push(await runPart(part, `[${index + 1}/${chosen.length}]`));
  console.log(summaryOf(results));
  if (results.some(({ hasPassed }) => !hasPassed)) process.exitCode = 1;
}

await main();
