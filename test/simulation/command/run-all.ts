import { plantBug } from '../bugs/plant.ts';
import { defaultDirectory, type ResumeCommand, type RunCommand } from './arguments.ts';
import { codeFingerprint } from './fingerprint.ts';
import { counted, durationText, grouped, MovingRate, progressText, sumsText } from './progress.ts';
import { runSeeds, type SeedReport } from './run-seeds.ts';
import {
  addReport,
  doneCount,
  isDone,
  loadState,
  newRunState,
  type RunState,
  removeState,
  resumable,
  saveState,
} from './run-state.ts';
import { bugArgument, openScenario } from './scenario-file.ts';
import type { ShrinkOutput } from './shrink-command.ts';

/** Number of seeds that an abrupt end of this process can lose. */
const seedsPerSave = 100;
const progressIntervalMs = 500;

/**
 * Runs many seeds, shows progress, saves what is done, and shrinks the first failure.
 *
 * @returns the exit status
 * @throws Error if a worker process fails; what is done has then been saved
 */
export async function runAll(command: RunCommand | ResumeCommand, output: ShrinkOutput): Promise<number> {
  const { directory, workers, keepGoing, shrinks } = command;
  const { print, signal } = output;
  const begin = beginState(command);
  if ('refused' in begin) {
    print(begin.refused);
    return 2;
  }
  print(begin.message);
  const hadFailed = begin.state.failures.length > 0;
  const run = createRun(begin.state, directory, output);
  print(`starting ${counted(workers, 'process', 'processes')}`);
  signal.addEventListener('abort', run.save);
  try {
    const { from, count, bug } = begin.state;
    const range = { from, count, bug, workers, keepGoing, signal, isDone: run.isDone, onStart: run.start };
    await runSeeds(range, run.note);
  } finally {
    run.stop();
  }
  const { failures, bug } = run.state();
  const [first] = failures;
  if (signal.aborted) return 130;
  if (first && shrinks && !hadFailed) {
    plantBug(bug);
    const { shrinkAndSave } = await import('./shrink-command.ts');
    const failsAgain = await shrinkAndSave(openScenario({ seed: first.seed }, bug), directory, output);
    if (!failsAgain) print(`seed ${first.seed} failed before: the simulation is not deterministic`);
  }
  return first ? 1 : 0;
}

function beginState(command: RunCommand | ResumeCommand) {
  const fingerprint = codeFingerprint();
  const saved = loadState(command.directory);
  if (command.kind === 'resume') {
    const found = resumable(saved, fingerprint);
    return 'refused' in found ? found : { ...found, message: `resuming: ${shareText(found.state)} are done` };
  }
  const { from, count, bug } = command;
  const state = newRunState({ fingerprint, from, count, bug });
  const message = `${grouped(count)} seeds from ${from}${bug === undefined ? '' : `, with a planted bug: ${bug}`}`;
  const isReplaced = saved?.fingerprint === fingerprint;
  const note = isReplaced ? `\nThis replaces an earlier run, of which ${shareText(saved)} were done.` : '';
  return { state, message: message + note };
}

const directoryArgument = (directory: string) =>
  directory === defaultDirectory ? '' : ` --state ${directory}`;

const shareText = (state: RunState) => `${grouped(doneCount(state))} of ${grouped(state.count)} seeds`;

/** The state of a run in this process, with its timer. */
function createRun(begin: RunState, directory: string, { print, status, signal }: ShrinkOutput) {
  const beganMs = performance.now();
  const rate = new MovingRate();
  let state = begin;
  let unsaved = 0;
  let timer: NodeJS.Timeout | undefined;

  function save(): void {
    unsaved = 0;
    state = { ...state, workedMs: begin.workedMs + performance.now() - beganMs };
    saveState(directory, state);
  }

  function showProgress(): void {
    const nowMs = performance.now();
    const done = doneCount(state);
    rate.add(nowMs, done);
    const { count: total, live, calls, failures } = state;
    const progress = { done, total, live, calls, failures: failures.length, perSecond: rate.perSecond() };
    status.show(progressText(progress), nowMs);
  }

  return {
    state: () => state,
    save,
    isDone: (seed: number) => isDone(state, seed),
    start(): void {
      print(`running ${counted(state.count - doneCount(state), 'seed')}`);
      timer = setInterval(showProgress, progressIntervalMs);
    },
    note(report: SeedReport): void {
      state = addReport(state, report);
      unsaved += 1;
      if (unsaved >= seedsPerSave) save();
      if (report.violation === undefined) return;
      status.clear();
      print(`seed ${report.seed}: ${report.violation}`);
      print(`see it with: npm run simulate -- --replay ${report.seed}${bugArgument(state.bug)}`);
    },
    /** Prints the sums. Saves a run that can be continued, and removes the state of one that is complete. */
    stop(): void {
      clearInterval(timer);
      signal.removeEventListener('abort', save);
      status.clear();
      save();
      const { live, calls, failures, workedMs } = state;
      const sums = sumsText({ live, calls, failures: failures.length });
      print(`${shareText(state)} in ${durationText(workedMs)}: ${sums}`);
      if (failures.length > 0) print(`failing seeds: ${failures.map(({ seed }) => seed).join(', ')}`);
      if (doneCount(state) === state.count) removeState(directory);
      else print(`continue with: npm run simulate -- --resume${directoryArgument(directory)}`);
    },
  };
}
