#!/bin/sh
# A small MCP server over standard streams, to try things with: one line in, one line out. Its weather never changes.

tools='{"tools":[
{"name":"getWeather","description":"Get the weather of a city","inputSchema":{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"Name of the city"}}},"outputSchema":{"type":"object","required":["city","celsius"],"properties":{"city":{"type":"string"},"celsius":{"type":"integer"}}},"annotations":{"readOnlyHint":true}},
{"name":"list-stations","description":"List the stations","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"reportStorm","description":"Report a storm","inputSchema":{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"Where it is"}}}}]}'
tools=$(printf %s "$tools" | tr -d '\n')

while read -r line; do
    id=$(printf %s "$line" | sed -n 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/p')
    city=$(printf %s "$line" | sed -n 's/.*"city":"\([^"]*\)".*/\1/p')
    case $line in
        *'"method":"initialize"'*)
            result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"weather","version":"1.0.0"}}' ;;
        *'"method":"tools/list"'*)
            result=$tools ;;
        *'"name":"getWeather"'*)
            result='{"content":[],"structuredContent":{"city":"'$city'","celsius":7,"sensor":"roof"}}' ;;
        *'"name":"list-stations"'*)
            result='{"content":[{"type":"text","text":"Bern, roof"}]}' ;;
        *'"name":"reportStorm"'*)
            result='{"content":[{"type":"text","text":"Nobody is on duty in '$city'"}],"isError":true}' ;;
        *'"method":"ping"'*)
            result='{}' ;;
        *'"method":"notifications/'*)
            continue ;;
        *)
            printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id"
            continue ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
