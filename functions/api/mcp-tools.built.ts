import { toListedTool } from '../../lib/mcp/list.ts';
import { writePlatformGuides } from '../../lib/mcp/platform-guides.ts';
import { tools } from '../../lib/mcp/tools.ts';

/** The list of all tools and the guides of the platforms. The bundle contains them ready-made, with their JSON Schemas. */
export default {
  list: tools.map(toListedTool),
  guides: writePlatformGuides(),
};
