/* Checks JSON against a JSON Schema. It knows the keywords that schemas/ uses: type, required,
 * properties, additionalProperties (false), items, enum, minimum; another one fails the test. */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "testing.h"

#include <jansson.h>

static inline int schema_type(const json_t *value, const char *type) {
    return (!strcmp(type, "object") && json_is_object(value)) ||
           (!strcmp(type, "array") && json_is_array(value)) ||
           (!strcmp(type, "string") && json_is_string(value)) ||
           (!strcmp(type, "integer") && json_is_integer(value)) ||
           (!strcmp(type, "number") && json_is_number(value));
}

/* What is wrong with the value; NULL: nothing. */
static inline const char *schema_check(const json_t *schema, const json_t *value) {
    const json_t *properties = json_object_get(schema, "properties");
    const char *keyword, *name, *wrong = NULL;
    json_t *rule, *element;
    size_t i;

    json_object_foreach((json_t *)schema, keyword, rule) {
        if (!strcmp(keyword, "$schema") || !strcmp(keyword, "title") ||
            !strcmp(keyword, "description")) {
            continue;
        } else if (!strcmp(keyword, "type")) {
            if (!schema_type(value, json_string_value(rule)))
                return json_string_value(rule);
        } else if (!strcmp(keyword, "required")) {
            json_array_foreach(rule, i, element) {
                if (!json_object_get(value, json_string_value(element)))
                    return json_string_value(element);
            }
        } else if (!strcmp(keyword, "properties")) {
            json_object_foreach((json_t *)value, name, element) {
                if (json_object_get(rule, name) &&
                    (wrong = schema_check(json_object_get(rule, name), element)))
                    return wrong;
            }
        } else if (!strcmp(keyword, "additionalProperties")) {
            json_object_foreach((json_t *)value, name, element) {
                if (json_is_false(rule) && !json_object_get(properties, name))
                    return name;
            }
        } else if (!strcmp(keyword, "items")) {
            json_array_foreach(value, i, element) {
                if ((wrong = schema_check(rule, element)))
                    return wrong;
            }
        } else if (!strcmp(keyword, "enum")) {
            int found = 0;

            json_array_foreach(rule, i, element) {
                found = found || json_equal(element, value);
            }
            if (!found)
                return "enum";
        } else if (!strcmp(keyword, "minimum")) {
            if (json_number_value(value) < json_number_value(rule))
                return "minimum";
        } else {
            return keyword;
        }
    }
    return NULL;
}

#endif
