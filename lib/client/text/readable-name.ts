/** `file_search`, `semanticSearch`, `mcp.multiply` → “File search”, “Semantic search”, “Multiply”. */
export function readableName(toolName: string): string {
  const words = toolName
    .replace(/^mcp\./, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? toolName : words.charAt(0).toUpperCase() + words.slice(1);
}
