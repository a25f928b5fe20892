/** The program that renders one file, and ends. It gets its task as a message, and answers with a message. */
import { type RenderTask, runRenderTask } from './render-task.ts';

process.on('message', async (task: RenderTask) => {
  process.send?.(await runRenderTask(task));
});
