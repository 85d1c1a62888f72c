import type { DemoDatabase } from '../_data/demo-database.ts';
import type { DemoMcpTools } from '../_mcp/client.ts';
import { askForDatesDetails, askForDatesTool } from './ask-for-dates.ts';
import { brokenServiceDetails, brokenServiceTool } from './broken-service.ts';
import type { ToolDetails } from './details.ts';
import { fileSearchDetails, fileSearchTool } from './file-search.ts';
import { flakyServiceDetails, flakyServiceTool } from './flaky-service.ts';
import { getLocationDetails, getLocationTool } from './get-location.ts';
import { getWeatherDetails, getWeatherTool } from './get-weather.ts';
import { multiplyDetails } from './multiply.ts';
import { processPaymentDetails, processPaymentTool } from './process-payment.ts';
import { refundOrderDetails, refundOrderTool } from './refund-order.ts';
import { releaseVersionDetails, releaseVersionTool } from './release-version.ts';
import { rotateKeyDetails, rotateKeyTool } from './rotate-key.ts';
import { searchDatabaseDetails, searchDatabaseTool } from './search-database.ts';
import { strictServiceDetails, strictServiceTool } from './strict-service.ts';
import { toolApproval } from './tool-approval.ts';
import { updateDatabaseDetails, updateDatabaseTool } from './update-database.ts';
import type { WebSearchProvider } from './web-search.ts';
import { webSearchDetails, webSearchTool } from './web-search.ts';

/** What the tools need. `docsFolder` contains the `README.md` and `docs/` that `file_search` reads. */
export type DemoToolsSettings = {
  readonly database: DemoDatabase;
  readonly docsFolder: string;
  readonly mcpTools: DemoMcpTools;
  readonly webSearch?: WebSearchProvider;
};

/**
 * The reference app's tools, their gates, and how each is presented.
 *
 * @source H-Demo
 */
export function createDemoTools({ database, docsFolder, mcpTools, webSearch }: DemoToolsSettings) {
  const tools = {
    search_database: searchDatabaseTool(database),
    update_database: updateDatabaseTool(database),
    process_payment: processPaymentTool(database),
    get_weather: getWeatherTool(),
    get_location: getLocationTool(),
    multiply: mcpTools.multiply,
    web_search: webSearchTool(webSearch),
    file_search: fileSearchTool(docsFolder),
    flaky_service: flakyServiceTool(),
    broken_service: brokenServiceTool(),
    strict_service: strictServiceTool(),
    release_version: releaseVersionTool(),
    refund_order: refundOrderTool(),
    ask_for_dates: askForDatesTool(),
    rotate_key: rotateKeyTool(),
  };
  const toolDetails = {
    search_database: searchDatabaseDetails(database),
    update_database: updateDatabaseDetails(database),
    process_payment: processPaymentDetails(database),
    get_weather: getWeatherDetails,
    get_location: getLocationDetails,
    multiply: multiplyDetails,
    web_search: webSearchDetails,
    file_search: fileSearchDetails(docsFolder),
    flaky_service: flakyServiceDetails,
    broken_service: brokenServiceDetails,
    strict_service: strictServiceDetails,
    release_version: releaseVersionDetails,
    refund_order: refundOrderDetails,
    ask_for_dates: askForDatesDetails,
    rotate_key: rotateKeyDetails,
  } satisfies Record<string, ToolDetails<never, never>>;
  return { tools, toolApproval, toolDetails };
}
