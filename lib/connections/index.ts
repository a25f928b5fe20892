export { beginConnection } from './begin.ts';
export { completeConnection } from './callback.ts';
export { makeChoice, showChoice } from './choose.ts';
export { answerTo, type BrowserAnswer } from './pages.ts';
export type { BrowserPorts, ConnectionPorts } from './ports.ts';
