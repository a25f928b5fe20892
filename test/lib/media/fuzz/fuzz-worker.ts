import { parentPort, workerData } from 'node:worker_threads';
import { marshall } from '@aws-sdk/util-dynamodb';
import { MediaProbe } from '../../../../lib/media/schemas.ts';
import type { Inspection } from '../../../../lib/media/uploads/complete-upload.ts';
import { measureInspection } from '../probe/measure.ts';
import type { FuzzRun, FuzzSummary } from './fuzz.ts';
import { type FuzzedFile, fuzzedFile } from './mutate.ts';

const maxProbes = 400;
const maxReasonCharacters = 300;

/** Returns the problem of an outcome; `undefined` if it can be stored, listed and shown. */
function problemOf(found: Inspection): string | undefined {
  if (found.state === 'changed') return 'it reports a change of a file that does not change';
  if (found.state === 'unfit') {
    const isText = found.reason.length > 0 && found.reason.length <= maxReasonCharacters;
    return isText ? undefined : `its reason has ${found.reason.length} characters`;
  }
  if (found.probe === undefined) return undefined;
  const strict = MediaProbe.strict().safeParse(found.probe);
  if (!strict.success) return `its probe is not valid: ${strict.error.message}`;
  // Throws for a number that DynamoDB cannot hold exactly.
  marshall(found.probe);
  return undefined;
}

async function run({ seed, first, count }: FuzzRun): Promise<FuzzSummary> {
  const failures: string[] = [];
  const reasons = new Map<string, number>();
  const probes = new Map<string, MediaProbe>();
  let [fit, unfit, maxCpuMs, maxGrownBytes, maxRanges, maxReadBytes] = [0, 0, 0, 0, 0, 0];
  let [slowest, largest] = ['', ''];
  for (let index = first; index < first + count; index += 1) {
    const file = fuzzedFile(seed, index);
    const named = nameOf(file, seed, index);
    try {
      const { found, ...took } = await measureInspection(file.bytes, file.contentType, file.sizeBytes);
      const problem = problemOf(found);
      if (problem !== undefined) failures.push(`${named}: ${problem}`);
      if (found.state === 'fit') fit += 1;
      if (found.state === 'fit' && found.probe && probes.size < maxProbes)
        probes.set(JSON.stringify(found.probe), found.probe);
      if (found.state === 'unfit') {
        unfit += 1;
        const reason = found.reason.replace(/\S+\/\S+|\d+/g, '…');
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      if (took.cpuMs > maxCpuMs) [maxCpuMs, slowest] = [took.cpuMs, named];
      if (took.grownBytes > maxGrownBytes) [maxGrownBytes, largest] = [took.grownBytes, named];
      maxRanges = Math.max(maxRanges, took.ranges);
      maxReadBytes = Math.max(maxReadBytes, took.readBytes);
    } catch (error) {
      failures.push(`${named}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  return {
    files: count,
    ...{ fit, unfit, reasons: Object.fromEntries(reasons), maxCpuMs, slowest, maxGrownBytes, largest },
    ...{ maxRanges, maxReadBytes, failures, probes: [...probes.values()] },
  };
}

const nameOf = ({ seed, steps, contentType }: FuzzedFile, runSeed: number, index: number): string =>
  `file ${index} of seed ${runSeed} (${seed} as ${contentType}: ${steps.join(', ')})`;

parentPort?.postMessage(await run(workerData as FuzzRun));
