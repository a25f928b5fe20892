export { type ChainPorts, runChain } from './run.ts';
export { ChainMessage } from './schemas.ts';
