from django.apps import AppConfig
from django.urls import register_converter

from annotation.converters import IdConverter


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation.accounts import keep_in_the_log

        keep_in_the_log()
        register_converter(IdConverter, "id")
