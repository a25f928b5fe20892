import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe-core finds wrong in a page: rule, element and advice. It does not look into frames.
 *
 * @param runOnly the rules; all by default
 * @param ignored rules that do not fit the page
 */
export async function runAxe(
  page: Page,
  runOnly?: RunOptions['runOnly'],
  ignored: readonly string[] = [],
): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(ignored.map((rule) => [rule, { enabled: false }])),
    ...(runOnly && { runOnly }),
  };
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
