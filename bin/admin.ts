/** The operator's commands for a stage: `npm run admin`. */
import { main } from './admin/main.ts';

process.exitCode = await main(process.argv.slice(2), process);
