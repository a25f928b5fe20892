export { createAutomation } from './create.ts';
export { editAutomation, removeAutomation } from './edit.ts';
export { listAutomations, readAutomation } from './read.ts';
