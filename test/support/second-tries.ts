import type { Reporter, TestModule } from 'vitest/node';

/** Prints at the end of a run which tests passed only at the second try. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        if ((test.diagnostic()?.retryCount ?? 0) > 0)
          console.log(`Passed only at the second try: ${module.relativeModuleId} > ${test.fullName}`);
      }
    }
  }
}
